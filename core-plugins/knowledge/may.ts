/** The permission for knowledge bases, which are part of what agents are made of. */
export function may(action: 'list' | 'detail' | 'create' | 'update' | 'delete') {
  return { platform: `ai_agent:${action}`, tenant: `tenant_agent:${action}` }
}
