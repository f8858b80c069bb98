import { tenantResolver, trustedProxies } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { captchaGate } from '../captcha/contract.ts'
import { configReader, configWriter, tenantConfigWorkflow } from '../config/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { preferences } from '../preferences/contract.ts'
import { registrations, secondFactors, userDirectory } from '../users/contract.ts'

/** The services sign-in stands on. */
export const needs = {
  access,
  audit,
  captcha: captchaGate,
  config: configReader,
  configWriter,
  workflow: tenantConfigWorkflow,
  mail: messageSender,
  preferences,
  registrations,
  secondFactors,
  users: userDirectory,
  tenants: tenantResolver,
  proxies: trustedProxies,
}
