import type { PreferenceDeclaration } from '../contract.ts'
import { texts } from '../texts/texts.ts'

/** How the platform looks. */
export const appearance: readonly PreferenceDeclaration[] = [
  {
    key: 'theme',
    name: texts.of('theme'),
    schema: { enum: ['system', 'light', 'dark'] },
    default: 'system',
  },
  {
    key: 'density',
    name: texts.of('density'),
    schema: { enum: ['comfortable', 'compact'] },
    default: 'comfortable',
  },
  {
    key: 'sidebar_collapsed',
    name: texts.of('sidebar_collapsed'),
    schema: { type: 'boolean' },
    default: false,
  },
  {
    key: 'page_size',
    name: texts.of('page_size'),
    schema: { type: 'integer', minimum: 10, maximum: 100 },
    default: 20,
  },
  {
    key: 'home_path',
    name: texts.of('home_path'),
    // Two slashes, or a slash and a backslash, would lead a browser to another site.
    schema: { type: 'string', maxLength: 500, pattern: '^/(?![/\\\\])[^\\s\\\\\\u0000-\\u001f\\u007f]*$' },
    default: '/',
  },
]
