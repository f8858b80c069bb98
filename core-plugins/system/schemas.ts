const check = {
  type: 'object',
  required: ['status', 'latency_ms'],
  properties: {
    status: { enum: ['healthy', 'unhealthy'] },
    latency_ms: { type: 'integer' },
    error: { enum: ['timeout', 'unreachable'] },
  },
} as const

/** Whether the platform is well. */
export const healthBody = {
  type: 'object',
  required: ['status', 'timestamp', 'checks'],
  properties: {
    status: { enum: ['healthy', 'unhealthy'] },
    timestamp: { type: 'string' },
    checks: { type: 'object', additionalProperties: check },
  },
} as const

const status = { enum: ['healthy', 'degraded', 'starting'] } as const
const count = { type: 'integer' } as const

/** How a host is, in full. */
export const healthDetailBody = {
  ...healthBody,
  required: [...healthBody.required, 'host', 'details'],
  properties: {
    ...healthBody.properties,
    status: { enum: ['healthy', 'degraded', 'starting', 'unhealthy'] },
    host: { type: 'string' },
    details: {
      type: 'object',
      description: 'What parts of the host tell of themselves',
      properties: {
        sandbox: {
          type: 'object',
          required: ['status', 'hosts', 'running', 'queued', 'kills'],
          properties: { status, hosts: count, running: count, queued: count, kills: count },
        },
      },
      additionalProperties: { type: 'object', required: ['status'], properties: { status } },
    },
  },
} as const
