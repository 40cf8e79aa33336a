// Whether values are numbers: neither NaN nor infinite.

bool isFinite(float v) { return !isnan(v) && !isinf(v); }
bool isFinite(vec2 v) { return !any(isnan(v)) && !any(isinf(v)); }
bool isFinite(vec3 v) { return !any(isnan(v)) && !any(isinf(v)); }
bool isFinite(vec4 v) { return !any(isnan(v)) && !any(isinf(v)); }
