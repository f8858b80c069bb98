export type * from '../contract-neutral.ts'
