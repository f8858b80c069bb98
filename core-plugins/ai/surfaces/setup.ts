import { errorForms, type Scope } from '#kernel'
import { surfaceForms } from './forms.ts'
import type { SurfaceParts } from './ports.ts'
import { ResponseStore } from './responses/response-store.ts'
import { surfaceRoutes } from './routes.ts'

/** Opens the surfaces that clients of OpenAI and Anthropic speak to. */
export function setupSurfaces(scope: Scope, parts: Omit<SurfaceParts, 'responses'>): void {
  scope.provide(errorForms, surfaceForms)
  scope.route(...surfaceRoutes({ ...parts, responses: new ResponseStore(scope.db) }))
}
