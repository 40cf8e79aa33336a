float most(float found) { return min(found, param.high); }
