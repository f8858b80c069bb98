import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const doors: Readonly<Record<string, string>> = {
  '#kernel': 'kernel/index.ts',
  '#kernel/schemas': 'kernel/schemas.ts',
  '#sandbox': 'sandbox/index.ts',
  '#marketplace': 'marketplace/index.ts',
}
/** Taken by name while the platform runs, by a JavaScript file, or by authors of plugins. */
const takenByName =
  /\/migrations\/|\/(texts|templates)\/[\w-]+\.ts$|^sandbox\/(sdk\/|capabilities\/names\.ts$|host\/guest\.js$)|^marketplace\/(testing\.ts|templates\/)|^core-plugins\/console\/(web|dist)\/|\.d\.ts$|^test\//

/** An export that no file imports. */
interface UnusedExport {
  readonly file: string
  readonly name: string
}

interface Source {
  /** Name → where it was exported from, where it is only handed on. */
  readonly exports: ReadonlyMap<string, { readonly file: string; readonly name: string } | undefined>
  readonly stars: readonly string[]
  /** What is imported, by file; `*` is everything. */
  readonly imports: readonly { readonly file: string; readonly name: string }[]
}

/** Finds the exports that no file imports, of files by their texts; what a door hands on counts where somebody takes it from there. */
export function findUnusedExports(files: ReadonlyMap<string, string>): readonly UnusedExport[] {
  const sources = new Map([...files].map(([file, text]) => [file, read(file, text)]))
  const used = new Set<string>()
  const use = (file: string, name: string): void => {
    const key = `${file} ${name}`
    if (used.has(key)) return
    used.add(key)
    const source = sources.get(file)
    if (!source) return
    if (name === '*') for (const each of source.exports.keys()) use(file, each)
    const from = source.exports.get(name)
    if (from) use(from.file, from.name)
    if (name === '*' || !source.exports.has(name)) for (const star of source.stars) use(star, name)
  }
  for (const { imports } of sources.values()) for (const { file, name } of imports) use(file, name)
  const exportsOf = (file: string): readonly string[] => {
    const { exports, stars } = sources.get(file) ?? { exports: new Map<string, undefined>(), stars: [] }
    return [...exports.keys(), ...stars.flatMap(exportsOf)]
  }
  const looked = [...sources.keys()].filter((file) => !takenByName.test(file))
  return looked.flatMap((file) =>
    // What a contract hands on of its own parts counts there.
    (isDoor(file) ? exportsOf(file) : [...(sources.get(file)?.exports.keys() ?? [])]).flatMap((name) =>
      name === 'default' || used.has(`${file} ${name}`) ? [] : [{ file, name }],
    ),
  )
}

function read(file: string, text: string): Source {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const exports = new Map<string, { file: string; name: string } | undefined>()
  const stars: string[] = []
  const imports: { file: string; name: string }[] = []
  const target = (specifier: ts.Expression | undefined): string | undefined =>
    specifier && ts.isStringLiteral(specifier) ? fileOf(file, specifier.text) : undefined
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const from = target(statement.moduleSpecifier)
      const { exportClause: clause } = statement
      if (!clause && from) stars.push(from)
      else if (clause && ts.isNamespaceExport(clause)) {
        exports.set(clause.name.text, from === undefined ? undefined : { file: from, name: '*' })
      } else if (clause) {
        for (const { name, propertyName } of clause.elements) {
          exports.set(name.text, from === undefined ? undefined : { file: from, name: (propertyName ?? name).text })
        }
      }
    } else for (const name of declaredNames(statement)) exports.set(name, undefined)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const from = target(node.moduleSpecifier)
      if (from !== undefined) imports.push(...importedNames(node).map((name) => ({ file: from, name })))
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = target(node.argument.literal)
      if (from !== undefined) imports.push({ file: from, name: node.qualifier?.getText().split('.')[0] ?? '*' })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const from = target(node.arguments[0])
      if (from !== undefined) imports.push({ file: from, name: '*' })
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require') {
      // The builder takes these for imports that wait until they are asked for.
      const from = target(node.arguments[0])
      const name = ts.isPropertyAccessExpression(node.parent) ? node.parent.name.text : '*'
      if (from !== undefined) imports.push({ file: from, name })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { exports, stars, imports }
}

function declaredNames(statement: ts.Statement): readonly string[] {
  const isExported = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false
  if (!isExported) return []
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name))
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Node }
  return name && ts.isIdentifier(name) ? [name.text] : []
}

function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []))
}

function importedNames({ importClause: clause }: ts.ImportDeclaration): readonly string[] {
  const bindings = clause?.namedBindings
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : []
  return [
    ...(clause?.name ? ['default'] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? ['*'] : []),
    ...named.map(({ name, propertyName }) => (propertyName ?? name).text),
  ]
}

function isDoor(file: string): boolean {
  return Object.values(doors).includes(file)
}

function fileOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier)
  return doors[specifier]
}

/** What a file says in TypeScript: of a component its script. */
function scriptOf(file: string, text: string): string {
  return file.endsWith('.vue') ? (/<script[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '') : text
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '..', '..')
  // The folders that are held to it.
  const held = process.argv.slice(2).flatMap((pattern) => globSync(pattern, { cwd: root }))
  const names = globSync('{kernel,core-plugins,sandbox,marketplace,test}/**/*.{ts,js,vue}', { cwd: root })
  const files = new Map(names.map((file) => [file, scriptOf(file, readFileSync(path.join(root, file), 'utf8'))]))
  const unused = findUnusedExports(files).filter(({ file }) => held.some((folder) => file.startsWith(`${folder}/`)))
  for (const { file, name } of unused) console.error(`Nobody imports it, so it needs no export: ${file} ${name}`)
  process.exitCode = unused.length > 0 ? 1 : 0
}
