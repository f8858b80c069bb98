import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

const options: ts.CompilerOptions = {
  declaration: true,
  emitDeclarationOnly: true,
  rewriteRelativeImportExtensions: true,
  stripInternal: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
}

/**
 * Writes the declarations of sources and of all that they name; throws where those lead out of the folder, for then the package
 * would be of no use without this checkout.
 */
export async function emitTypes(
  folder: string,
  entries: readonly string[],
  target: string,
  lib: readonly string[],
): Promise<void> {
  const roots = entries.map((entry) => join(folder, entry))
  const host = ts.createProgram(roots, { ...options, lib: lib.map((name) => `lib.${name}.d.ts`), rootDir: folder })
  const written: Promise<void>[] = []
  const { diagnostics } = host.emit(undefined, (file, text) => {
    const path = relative(folder, file)
    written.push(write(join(target, path), text.replace(/(from |import\()(['"])([^'"]+)\.ts\2/g, '$1$2$3.js$2')))
  })
  await Promise.all(written)
  const faults = [...ts.getPreEmitDiagnostics(host), ...diagnostics]
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, formatHost))
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
