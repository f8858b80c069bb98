import type { Tenant } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import type { SessionOrigin } from '../contract.ts'
import { CodeInvalidError } from '../errors.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import type { SignedIn, SignInFinisher } from '../sign-in/sign-in-finisher.ts'
import type { Address } from './code-binding.ts'
import type { CodeDelivery } from './code-delivery.ts'
import type { CodeTries } from './code-tries.ts'
import type { Sender, SendGate } from './send-gate.ts'

/** What sign-in by code stands on. */
interface CodeLoginParts {
  readonly users: UserDirectory
  readonly door: FrontDoor
  readonly gate: SendGate
  readonly delivery: CodeDelivery
  readonly tries: CodeTries
  readonly finisher: SignInFinisher
}

/** Which tenant somebody wants into: by its code, or by the host that was called. */
interface TenantChoice {
  readonly code?: string | undefined
  readonly host: Tenant | undefined
}

const methods = { email: 'email_code', sms: 'sms_code' } as const

/** Lets users of tenants in who can read what is sent to their address. */
export class CodeLogin {
  readonly #parts: CodeLoginParts

  constructor(parts: CodeLoginParts) {
    this.#parts = parts
  }

  /** Sends a code to whoever has the address; the same happens where nobody has it, but for the message. */
  async send(choice: TenantChoice, address: Address, sender: Sender): Promise<void> {
    const { users, door, gate, delivery } = this.#parts
    const tenant = await door.toTenant({ ...choice, method: methods[address.channel] })
    await delivery.requireChannel(address.channel)
    const user = await users.findByIdentifier(tenant.id, address.address)
    const target = { tenantId: tenant.id, name: address.address, purpose: 'login' }
    await gate.pass(target, user, sender)
    await delivery.sendCode({ tenantId: tenant.id, ...address, purpose: 'login' }, user, tenant)
  }

  /** Uses a code up. Throws 400/4006 for one that does not fit, and what the end of a sign-in throws. */
  async signIn(choice: TenantChoice, address: Address, code: string, origin: SessionOrigin): Promise<SignedIn> {
    const { users, door, tries, finisher } = this.#parts
    const tenant = await door.toTenant({ ...choice, method: methods[address.channel] })
    const user = await users.findByIdentifier(tenant.id, address.address)
    const proof = await tries.demand({ tenantId: tenant.id, ...address, purpose: 'login' }, code, user, origin.ip)
    if (!user || !(await tries.use(proof, origin.ip))) throw new CodeInvalidError()
    return finisher.finish(user, tenant, origin, [address.channel])
  }
}
