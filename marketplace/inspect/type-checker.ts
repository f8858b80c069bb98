import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import type { Finding } from '../lint/finding.ts'
import { sdkTypes } from '../author/checkout.ts'
import { namesFile, typeOptions } from '../author/type-options.ts'

/** "No overload matches this call." */
const noOverload = 2769

/** Checks the types of a plugin's sources; what it read once is read again only where it changed. */
export class TypeChecker {
  readonly #directory: string
  readonly #service: ts.LanguageService

  constructor(directory: string) {
    this.#directory = resolve(directory)
    this.#service = ts.createLanguageService(createHost(this.#directory))
  }

  /** What the compiler says of the sources as they are now. */
  check(): readonly Finding[] {
    return sourcesOf(this.#directory).flatMap((file) =>
      [...this.#service.getSyntacticDiagnostics(file), ...this.#service.getSemanticDiagnostics(file)].map(
        (diagnostic) => this.#toFinding(file, diagnostic),
      ),
    )
  }

  #toFinding(file: string, { start = 0, messageText, code, file: source }: ts.Diagnostic): Finding {
    const line = source ? source.getLineAndCharacterOfPosition(start).line + 1 : 1
    const message = `${textOf(messageText)} (TS${code})`
    return { level: 'error', rule: 'types', file: relative(this.#directory, file), line, message }
  }
}

/** Where no way to call a method fits, what is wrong with the first of them says more than a list of all. */
function textOf(message: string | ts.DiagnosticMessageChain): string {
  const [first] = typeof message === 'string' || message.code !== noOverload ? [] : (message.next ?? [])
  return ts.flattenDiagnosticMessageText(first?.next?.[0] ?? message, ' ')
}

function createHost(directory: string): ts.LanguageServiceHost {
  const { options, errors } = ts.convertCompilerOptionsFromJson({ ...typeOptions, allowJs: true }, directory)
  if (errors[0]) throw new Error(ts.flattenDiagnosticMessageText(errors[0].messageText, '\n'))
  options.paths = { '@stoa/plugin-sdk': [sdkTypes.main], '@stoa/plugin-sdk/testing': [sdkTypes.testing] }
  return {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [
      ...sourcesOf(directory),
      join(sdkTypes.web, 'index.d.ts'),
      ...[join(directory, namesFile)].filter(existsSync),
    ],
    getScriptVersion: (file) => String(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    getScriptSnapshot: (file) =>
      existsSync(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    fileExists: (file) => ts.sys.fileExists(file),
    readFile: (file, encoding) => ts.sys.readFile(file, encoding),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (folder) => ts.sys.directoryExists(folder),
    getDirectories: (folder) => ts.sys.getDirectories(folder),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  }
}

function sourcesOf(directory: string): readonly string[] {
  return globSync('src/**/*.{ts,tsx,js}', { cwd: directory })
    .sort()
    .map((path) => join(directory, path))
}
