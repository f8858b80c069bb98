import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import type { Finding } from '../lint/finding.ts'
import { sdkTypes } from '../author/checkout.ts'
import { findUnawaited } from './find-unawaited.ts'
import { namesFile, testTypes, typeOptions } from '../author/type-options.ts'

/** "No overload matches this call." */
const noOverload = 2769

/** Checks the types of a plugin's sources; what it read once is read again only where it changed. */
export class TypeChecker {
  readonly #directory: string
  readonly #registry = ts.createDocumentRegistry()
  readonly #service: ts.LanguageService
  #tests: ts.LanguageService | undefined

  constructor(directory: string) {
    this.#directory = resolve(directory)
    this.#service = ts.createLanguageService(createHost(this.#directory, sourcesOf), this.#registry)
  }

  /** What the compiler says of the sources as they are now. */
  check(): readonly Finding[] {
    const files = sourcesOf(this.#directory)
    return [...this.#checkWith(this.#service, files), ...files.flatMap((file) => this.#findUnawaited(file))]
  }

  /** What it says of the tests, which run in Node with mocha beside the plugin. */
  checkTests(): readonly Finding[] {
    const files = testsOf(this.#directory)
    if (files.length === 0) return []
    this.#tests ??= ts.createLanguageService(createHost(this.#directory, testsOf, testTypes), this.#registry)
    return this.#checkWith(this.#tests, files)
  }

  #checkWith(service: ts.LanguageService, files: readonly string[]): readonly Finding[] {
    return files.flatMap((file) =>
      [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map((diagnostic) =>
        this.#toFinding(file, diagnostic),
      ),
    )
  }

  #findUnawaited(file: string): readonly Finding[] {
    const program = this.#service.getProgram()
    const source = program?.getSourceFile(file)
    if (!program || !source) return []
    return findUnawaited(source, program.getTypeChecker()).map(({ line, message }) => {
      return { level: 'error', rule: 'unawaited', file: relative(this.#directory, file), line, message }
    })
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

function createHost(
  directory: string,
  filesOf: (directory: string) => readonly string[],
  more?: typeof testTypes,
): ts.LanguageServiceHost {
  const { options, errors } = ts.convertCompilerOptionsFromJson({ ...typeOptions, ...more, allowJs: true }, directory)
  if (errors[0]) throw new Error(ts.flattenDiagnosticMessageText(errors[0].messageText, '\n'))
  options.paths = { '@stoa/plugin-sdk': [sdkTypes.main], '@stoa/plugin-sdk/testing': [sdkTypes.testing] }
  return {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [
      ...filesOf(directory),
      ...(more ? [] : [join(sdkTypes.web, 'index.d.ts')]),
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
  return filesOf(directory, 'src/**/*.{ts,tsx,js}')
}

function testsOf(directory: string): readonly string[] {
  return filesOf(directory, 'test/**/*.{ts,tsx}')
}

function filesOf(directory: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: directory })
    .sort()
    .map((path) => join(directory, path))
}
