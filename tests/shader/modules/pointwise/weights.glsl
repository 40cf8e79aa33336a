const vec3 weights = vec3(0.2126, 0.7152, 0.0722);
