import { resolve } from 'node:path'

/** The folder that this program, the SDK and their packages lie in. */
export const checkout = resolve(import.meta.dirname, '../..')
