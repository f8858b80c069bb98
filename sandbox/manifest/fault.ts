import type { FieldError } from '#kernel'

/** Takes a fault of one field: `report('tenant_routes.0.path', 'unique', 'Two routes …')`. */
export type Report = (field: string, rule: string, message: string) => void

/** A report that fills a list, up to a number that a person would still read. */
export function collectFaults(faults: FieldError[], most = 100): Report {
  return (field, rule, message) => {
    if (faults.length < most) faults.push({ field, rule, message })
  }
}
