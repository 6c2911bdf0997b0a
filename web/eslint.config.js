/** What `npm run check` forbids beside wrong types: promises that are not awaited above all. */

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["src/**/*.js"],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // The compiler knows all names.
      "no-undef": "off",
      // An index of an array, and a variable that a callback sets, may be undefined or another value.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // A function for its effect may hand on what it calls.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // Data from files and messages are checked by the page itself.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // Texts are spread into code points, as Python does.
      "@typescript-eslint/no-misused-spread": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true, allow: ["unknown"] }],
      "@typescript-eslint/restrict-plus-operands": ["error", { allowNumberAndString: true }],
    },
  },
  {
    files: ["*.js", "*.mjs", "test/**/*.js"],
    languageOptions: { globals: { console: "readonly", process: "readonly", performance: "readonly" } },
  },
);
