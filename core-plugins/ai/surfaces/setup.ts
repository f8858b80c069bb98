import { errorForms, type Scope } from '#kernel'
import { aiSurfaces, type AgentModels } from '../contract.ts'
import { surfaceForms } from './forms.ts'
import type { SurfaceParts } from './ports.ts'
import { ResponseBounds } from './responses/response-bounds.ts'
import { ResponseStore } from './responses/response-store.ts'
import { surfaceRoutes } from './routes.ts'

/** What the surfaces are opened with. */
interface SurfacesNeeded extends Omit<SurfaceParts, 'responses' | 'agents'> {
  /** Whether agents answer as models. */
  readonly hasAgents: () => boolean
}

const sweepMs = 60_000
const sweepTenantsMs = 600_000

/** Opens the surfaces that clients of OpenAI and Anthropic speak to. */
export function setupSurfaces(scope: Scope, { hasAgents, ...parts }: SurfacesNeeded): void {
  scope.provide(errorForms, surfaceForms)
  let agents: AgentModels | undefined
  scope.provide(aiSurfaces, {
    registerAgents(provided) {
      agents = provided
      return { [Symbol.dispose]: () => void (agents = agents === provided ? undefined : agents) }
    },
  })
  const bounds = new ResponseBounds(scope.db)
  scope.every(sweepMs, () => bounds.sweep())
  scope.every(sweepTenantsMs, () => bounds.sweepTenants())
  const responses = new ResponseStore(scope.db, bounds)
  scope.route(...surfaceRoutes({ ...parts, agents: () => (hasAgents() ? agents : undefined), responses }))
}
