module.exports = [
  {
    languageOptions: { sourceType: "commonjs", globals: { require: "readonly", exports: "writable" } },
    rules: { "no-undef": "error", "no-unused-vars": "error", "prefer-const": "error", eqeqeq: "error" },
  },
];
