import { configReader } from '../config/contract.ts'
import { preferenceCatalogue } from '../preferences/contract.ts'

/** What the console's server part stands on. */
export const needs = { catalogue: preferenceCatalogue, config: configReader }
