export type * from '../capabilities/attachments.ts'
export type * from '../capabilities/outside.ts'
export type * from '../capabilities/own-data.ts'
export type * from '../capabilities/platform.ts'
