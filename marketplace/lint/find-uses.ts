import ts from 'typescript'
import { whatIsKnown } from './what-is-known.ts'

/** A global that code uses without asking first whether it is there. */
export interface GlobalUse {
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/**
 * Finds where code uses globals that are not there; those in `members` stand below an object, where asking for them alone fails nowhere. They are written as `marks` says, by a builder that knows which names are the globals'. What is asked for its type, tried and caught, or stands where no run without them comes is no use.
 */
export function findUses(
  code: string,
  marks: Readonly<Record<string, string>>,
  members: Readonly<Record<string, string>> = {},
): readonly GlobalUse[] {
  const file = ts.createSourceFile('bundle.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const names = new Map([...Object.entries(marks), ...Object.entries(members)].map(([name, mark]) => [mark, name]))
  const below = new Set(Object.values(members))
  const known = whatIsKnown(file, marks, below)
  const uses: GlobalUse[] = []
  visit(file, false)
  return uses

  function visit(node: ts.Node, isCaught: boolean): void {
    const walk = (part: ts.Node | undefined): void => void (part && visit(part, isCaught))
    if (ts.isIdentifier(node)) return isCaught ? undefined : add(node)
    if (ts.isTypeOfExpression(node) && ts.isIdentifier(node.expression)) return
    if (ts.isIfStatement(node)) {
      const condition = known(node.expression)
      walk(node.expression)
      if (!condition || condition.value) walk(node.thenStatement)
      if (!condition?.value) walk(node.elseStatement)
    } else if (ts.isConditionalExpression(node)) {
      const condition = known(node.condition)
      walk(node.condition)
      if (!condition || condition.value) walk(node.whenTrue)
      if (!condition?.value) walk(node.whenFalse)
    } else if (ts.isBinaryExpression(node)) {
      walk(node.left)
      if (!endsBefore(node)) walk(node.right)
    } else if (ts.isTryStatement(node)) {
      visit(node.tryBlock, isCaught || node.catchClause !== undefined)
      walk(node.catchClause)
      walk(node.finallyBlock)
    } else if (ts.isBlock(node) || ts.isSourceFile(node)) {
      for (const statement of node.statements) {
        walk(statement)
        if (leaves(statement)) break
      }
    } else {
      const isLater = ts.isFunctionLike(node)
      ts.forEachChild(node, (child) => visit(child, isCaught && !isLater))
    }
  }

  function add(node: ts.Identifier): void {
    const name = names.get(node.text)
    if (name === undefined || (below.has(node.text) && !isTaken(node))) return
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file))
    uses.push({ name, line: line + 1, column: character + 1 })
  }

  /** Whether something is done with it: it is called, made, or a member of it is asked for. */
  function isTaken(node: ts.Identifier): boolean {
    const { parent } = node
    if (ts.isNewExpression(parent)) return parent.expression === node
    const isOf =
      ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)
    return isOf && parent.expression === node && !parent.questionDotToken
  }

  /** Whether what stands on the right is never come to. */
  function endsBefore({ left, operatorToken }: ts.BinaryExpression): boolean {
    const value = known(left)
    if (!value) return false
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return !value.value
    return operatorToken.kind === ts.SyntaxKind.BarBarToken && Boolean(value.value)
  }

  /** Whether what follows in the same block is never come to: `if (typeof document === 'undefined') return`. */
  function leaves(statement: ts.Statement): boolean {
    if (!ts.isIfStatement(statement)) return false
    const condition = known(statement.expression)
    if (!condition) return false
    const taken = condition.value ? statement.thenStatement : statement.elseStatement
    const last = taken && ts.isBlock(taken) ? taken.statements.at(-1) : taken
    return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last))
  }
}
