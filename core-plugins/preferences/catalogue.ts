import type { FieldError } from '#kernel'
import type { Knex } from 'knex'
import type { ExportedPreference, PreferenceCatalogue, PreferenceDeclaration } from './contract.ts'
import { deletePlugin } from './delete-plugin.ts'
import { PreferenceDeclarationError } from './errors.ts'
import { exportPlugin } from './export-plugin.ts'
import { importPlugin } from './import-plugin.ts'
import { compileValueCheck, type ValueCheck } from './value-check.ts'

/** A preference's own name, the console's, or that of a third-party plugin's. */
const keyForm = /^(?:(?:console\.)?[a-z][a-z0-9_]{0,63}|plugin\.[a-z0-9][a-z0-9._-]{0,127}\.[a-z][a-z0-9_]{0,63})$/

/** A preference that may be set, with the check of its values. */
export interface Preference extends PreferenceDeclaration {
  readonly check: ValueCheck
}

/** The preferences of every enabled plugin. */
export class PreferenceTable implements PreferenceCatalogue {
  readonly #preferences = new Map<string, Preference>()

  register(declarations: readonly PreferenceDeclaration[]): Disposable {
    const added = declarations.map(compilePreference)
    const keys = added.map(({ key }) => key)
    const taken = keys.find((key, index) => this.#preferences.has(key) || keys.indexOf(key) < index)
    if (taken !== undefined) throw new PreferenceDeclarationError({ fault: `${taken} is declared twice` })
    for (const preference of added) this.#preferences.set(preference.key, preference)
    return {
      [Symbol.dispose]: () => {
        for (const preference of added) {
          if (this.#preferences.get(preference.key) === preference) this.#preferences.delete(preference.key)
        }
      },
    }
  }

  exportPlugin(plugin: string, trx: Knex.Transaction): Promise<readonly ExportedPreference[]> {
    return exportPlugin(trx, plugin)
  }

  importPlugin(plugin: string, values: readonly ExportedPreference[], trx: Knex.Transaction): Promise<void> {
    return importPlugin(trx, plugin, values)
  }

  removePlugin(plugin: string, trx: Knex.Transaction): Promise<number> {
    return deletePlugin(trx, plugin)
  }

  /** All of them, by their keys. */
  list(): readonly Preference[] {
    return [...this.#preferences.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  find(key: string): Preference | undefined {
    return this.#preferences.get(key)
  }
}

function compilePreference(declaration: PreferenceDeclaration): Preference {
  const { key, default: value } = declaration
  if (!keyForm.test(key)) throw new PreferenceDeclarationError({ fault: `${key} is no key of a preference` })
  const check = compileCheck(declaration)
  const [fault]: readonly (FieldError | undefined)[] = check.explain(value, 'en')
  if (fault) throw new PreferenceDeclarationError({ fault: `the default of ${key} breaks the rule ${fault.rule}` })
  return { ...declaration, check }
}

function compileCheck({ key, schema, mostBytes }: PreferenceDeclaration): ValueCheck {
  try {
    return compileValueCheck(key, schema, mostBytes)
  } catch (cause) {
    throw new PreferenceDeclarationError({ fault: `the schema of ${key} cannot be used` }, { cause })
  }
}
