import type { CapabilityRow } from './row.ts'

/** What a plugin adds to the platform: the manifest says it, and no member of `ctx` belongs to it. */
export const contributed = {
  schedule: {
    section: { field: 'schedules', isPresent: ({ schedules = [] }) => schedules.length > 0, isNeeded: true },
    detail: ({ schedules = [] }) => ({
      schedules: schedules.map(({ id, cron, timezone = 'UTC' }) => ({ id, cron, timezone })),
    }),
  },
  ui: {
    section: {
      field: 'slots',
      isPresent: ({ slots = [], menu = [] }) => slots.length + menu.length > 0,
      isNeeded: true,
    },
    detail: ({ slots = [] }) => ({ slots: slots.map(({ slot, id, area = 'tenant' }) => ({ slot, id, area })) }),
  },
  captcha: {
    section: { field: 'provides.captcha', isPresent: ({ provides }) => Boolean(provides?.captcha), isNeeded: true },
    detail: ({ provides }) => ({ code: provides?.captcha?.code }),
  },
  'ai:tool': {
    section: {
      field: 'provides.aiTools',
      isPresent: ({ provides: { aiTools = [] } = {} }) => aiTools.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { aiTools = [] } = {} }) => ({
      tools: aiTools.map(({ name, effect = 'read' }) => ({ name, effect })),
    }),
  },
  'ai:provider': {
    section: {
      field: 'provides.aiProviders',
      isPresent: ({ provides: { aiProviders = [] } = {} }) => aiProviders.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { aiProviders = [] } = {} }) => ({ providers: aiProviders.map(({ code }) => code) }),
  },
  'ai:guardrail': {
    section: {
      field: 'provides.aiGuardrails',
      isPresent: ({ provides: { aiGuardrails = [] } = {} }) => aiGuardrails.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { aiGuardrails = [] } = {} }) => ({
      guardrails: aiGuardrails.map(({ code, handlers }) => ({ code, phases: Object.keys(handlers).sort() })),
    }),
  },
  'ai:router': {
    section: {
      field: 'provides.aiRouters',
      isPresent: ({ provides: { aiRouters = [] } = {} }) => aiRouters.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { aiRouters = [] } = {} }) => ({ routers: aiRouters.map(({ code }) => code) }),
  },
  'storage:driver': {
    section: {
      field: 'provides.storageDrivers',
      isPresent: ({ provides: { storageDrivers = [] } = {} }) => storageDrivers.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { storageDrivers = [] } = {} }) => ({ drivers: storageDrivers.map(({ name }) => name) }),
  },
  license: { detail: ({ licensing }) => ({ type: licensing?.type ?? 'free' }) },
} as const satisfies Readonly<Record<string, CapabilityRow>>
