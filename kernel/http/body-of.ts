import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** A body as whoever gets it reads it: what its schema tells of. What it does not name may come beside, and is for nobody. */
export type BodyOf<S extends JSONSchema> = Told<FromSchema<S>>

/** The same without the `[name: string]: unknown` of objects that may have more than is named. */
type Told<T> = T extends readonly (infer E)[]
  ? readonly Told<E>[]
  : T extends object
    ? { readonly [K in keyof T as IsRest<T, K> extends true ? never : K]: Told<T[K]> }
    : T
/** Whether a key stands for whatever else an object has that has names. */
type IsRest<T, K extends keyof T> = string extends K ? (unknown extends T[K] ? HasNames<T> : false) : false
type HasNames<T> = [keyof { [K in keyof T as string extends K ? never : K]: true }] extends [never] ? false : true
