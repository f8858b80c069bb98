import { archives, marks, otherFiles, truncated } from './archives.ts'
import { bombs } from './bombs.ts'
import { contents, migrations, signatures } from './contents.ts'
import type { Cases } from './forge.ts'
import { manifestIdentities } from './manifest-identity.ts'
import { manifestParts } from './manifest-parts.ts'
import { manifestSchemas } from './manifest-schemas.ts'
import { manifestTexts } from './manifest-texts.ts'
import { badNames } from './names.ts'

/** What one package is refused with. */
export interface HostilePackage {
  readonly name: string
  readonly group: string
  /** 4130 is said before a package is looked at: it is larger than one can be. */
  readonly codes: readonly number[]
  readonly make: () => Buffer
}

const groups: Readonly<Record<string, readonly [cases: Cases, ...codes: number[]]>> = {
  files: [otherFiles, 4009],
  archives: [archives, 4009],
  marks: [marks, 4009],
  names: [badNames, 4009],
  truncated: [truncated(100), 4009],
  bombs: [bombs, 4009, 4130],
  signatures: [signatures, 4009],
  migrations: [migrations, 4009],
  contents: [contents, 4009, 4227],
  texts: [manifestTexts, 4227],
  identities: [manifestIdentities, 4227],
  parts: [manifestParts, 4227],
  schemas: [manifestSchemas, 4227],
}

/** Every package that must be refused. */
export function hostilePackages(): readonly HostilePackage[] {
  return Object.entries(groups).flatMap(([group, [cases, ...codes]]) =>
    Object.entries(cases).map(([name, make]) => ({ name, group, codes, make })),
  )
}
