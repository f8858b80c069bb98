import { resolve } from 'node:path'

/** The folder that this program, the SDK and their packages lie in. */
export const CHECKOUT = resolve(import.meta.dirname, '../..')
