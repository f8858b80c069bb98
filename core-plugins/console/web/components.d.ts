/** What the linter takes a component for, which it does not read; vue-tsc reads it itself. */
declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export { component as default }
}
