import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

const choice = (value: string, label: Parameters<typeof texts.of>[0]) => ({ label: texts.of(label), value })

/** Whether files are looked at by a virus scanner before anybody reads them. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_attachment_scan',
    name: texts.of('scan'),
    description: texts.of('scan.description'),
    icon: 'shield',
    parent: 'platform_storage',
    sort: 95,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'attachment_scan_mode',
        type: 'SELECT',
        name: texts.of('scan.mode'),
        default: 'off',
        required: true,
        options: [choice('off', 'scan.off'), choice('clamd', 'scan.clamd')],
      },
      {
        key: 'attachment_scan_address',
        type: 'STRING',
        name: texts.of('scan.address'),
        description: texts.of('scan.address.description'),
        default: '',
        rules: { pattern: '^(\\[[0-9a-fA-F:.]{2,45}\\]|[A-Za-z0-9._-]{1,253}):[0-9]{1,5}$' },
      },
      {
        key: 'attachment_scan_timeout_seconds',
        type: 'NUMBER',
        name: texts.of('scan.timeout'),
        default: 60,
        required: true,
        rules: { min: 1, max: 600 },
        ui: { unit: 's' },
      },
      {
        key: 'attachment_scan_max_mb',
        type: 'NUMBER',
        name: texts.of('scan.max'),
        default: 100,
        required: true,
        rules: { min: 1, max: 10_240 },
        ui: { unit: 'MB' },
      },
      {
        key: 'attachment_scan_too_large',
        type: 'SELECT',
        name: texts.of('scan.too_large'),
        default: 'quarantine',
        required: true,
        options: [choice('quarantine', 'scan.quarantine'), choice('allow', 'scan.allow')],
      },
      {
        key: 'attachment_scan_when_away',
        type: 'SELECT',
        name: texts.of('scan.when_away'),
        default: 'wait',
        required: true,
        options: [choice('wait', 'scan.wait'), choice('allow', 'scan.allow_later')],
      },
      {
        key: 'attachment_scan_away_minutes',
        type: 'NUMBER',
        name: texts.of('scan.away_minutes'),
        default: 15,
        required: true,
        rules: { min: 1, max: 10_080 },
        ui: { unit: 'min' },
      },
    ],
  },
]
