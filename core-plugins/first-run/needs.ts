import { setup } from '../auth/contract.ts'
import { demoSeed } from '../tenants/contract.ts'

/** What the first run stands on. */
export const needs = { setup, demoSeed }
