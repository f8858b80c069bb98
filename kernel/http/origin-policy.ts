import { defineService } from '../service.ts'

/** Which web origins may read answers; while nobody provides the service, none but our own. */
export interface OriginPolicy {
  allowed(origin: string): boolean | Promise<boolean>
}

/** Provided by whoever knows the platform's and the tenants' domains. */
export const originPolicy = defineService<OriginPolicy>('kernel.origin_policy')
