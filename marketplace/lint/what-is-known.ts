import ts from 'typescript'

/** What an expression gives in a sandbox; `undefined` in `value` is a value too. */
interface Known {
  readonly value: string | boolean | null | undefined
}
type Maybe = Known | undefined

/** Says of expressions what they give where some globals are not there, as far as the code itself tells. */
type Evaluate = (expression: ts.Expression) => Maybe

/** Long chains of conditions, which no author writes, say nothing. */
const mostSteps = 100
const globalObjects = new Set(['globalThis', 'self'])
/** What modules ask for first, and find. */
const present = new Map([
  ...[...globalObjects, 'crypto', 'performance'].map((name) => [name, 'object'] as const),
  ...['atob', 'btoa', 'fetch', 'queueMicrotask', 'structuredClone'].map((name) => [name, 'function'] as const),
])

/**
 * Reads in a file what decides whether code looks for globals: comparisons of their types, and names and functions that stand for one. A name
 * that is written down twice with different values says nothing. `marks` are the globals that are not there, by their names, as they are written
 * here, and `members` those that are asked for below an object.
 */
export function whatIsKnown(
  file: ts.SourceFile,
  marks: Readonly<Record<string, string>>,
  members: ReadonlySet<string> = new Set(),
): Evaluate {
  const marked = new Set(Object.values(marks))
  const { values, functions } = readNames(file)
  const known = new Map<ts.Expression, Maybe>()
  let steps = 0
  return next

  /** Each expression once: one that leads back to itself says nothing. */
  function next(expression: ts.Expression): Maybe {
    if (known.has(expression) || steps === mostSteps) return known.get(expression)
    known.set(expression, undefined)
    steps++
    const value = evaluate(expression)
    steps--
    known.set(expression, value)
    return value
  }

  function evaluate(expression: ts.Expression): Maybe {
    if (ts.isParenthesizedExpression(expression)) return next(expression.expression)
    if (ts.isStringLiteralLike(expression)) return { value: expression.text }
    if (ts.isTypeOfExpression(expression)) return typeOf(expression.expression)
    if (ts.isVoidExpression(expression)) return { value: undefined }
    if (ts.isPropertyAccessExpression(expression)) return isAbsentMember(expression) ? { value: undefined } : undefined
    if (ts.isPrefixUnaryExpression(expression)) return negated(expression, next)
    if (ts.isBinaryExpression(expression)) return combined(expression, next)
    if (ts.isConditionalExpression(expression)) {
      const condition = next(expression.condition)
      return condition && next(condition.value ? expression.whenTrue : expression.whenFalse)
    }
    if (ts.isCallExpression(expression) && ts.isIdentifier(expression.expression))
      return alike(functions.get(expression.expression.text), next)
    if (ts.isIdentifier(expression)) return ofName(expression.text)
    if (expression.kind === ts.SyntaxKind.TrueKeyword) return { value: true }
    if (expression.kind === ts.SyntaxKind.FalseKeyword) return { value: false }
    return expression.kind === ts.SyntaxKind.NullKeyword ? { value: null } : undefined
  }

  function ofName(name: string): Maybe {
    return name === 'undefined' || members.has(name) ? { value: undefined } : alike(values.get(name), next)
  }

  function typeOf(operand: ts.Expression): Maybe {
    if (ts.isIdentifier(operand)) {
      if (marked.has(operand.text)) return { value: 'undefined' }
      const type = present.get(operand.text)
      if (type !== undefined && !values.has(operand.text) && !functions.has(operand.text)) return { value: type }
    }
    const known = next(operand)
    return known && { value: known.value === null ? 'object' : typeof known.value }
  }

  /** Libraries have names of their own for the object of all globals: what is called so below any name is asked for there. */
  function isAbsentMember({ expression, name }: ts.PropertyAccessExpression): boolean {
    return ts.isIdentifier(expression) && Object.hasOwn(marks, name.text)
  }
}

function alike(expressions: readonly (ts.Expression | undefined)[] | undefined, next: Evaluate): Maybe {
  let first: Maybe
  for (const each of expressions ?? []) {
    const known = each && next(each)
    if (!known || (first && known.value !== first.value)) return undefined
    first = known
  }
  return first
}

function negated({ operator, operand }: ts.PrefixUnaryExpression, next: Evaluate): Maybe {
  const known = operator === ts.SyntaxKind.ExclamationToken ? next(operand) : undefined
  return known && { value: !known.value }
}

function combined({ left, operatorToken, right }: ts.BinaryExpression, next: Evaluate): Maybe {
  const one = next(left)
  switch (operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return one ? (one.value ? next(right) : one) : falsy(next(right))
    case ts.SyntaxKind.BarBarToken:
      return one && (one.value ? one : next(right))
    case ts.SyntaxKind.QuestionQuestionToken:
      return one && (one.value ?? undefined) === undefined ? next(right) : one
    case ts.SyntaxKind.EqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return compared(one, next(right), true)
    case ts.SyntaxKind.ExclamationEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return compared(one, next(right), false)
    default:
      return undefined
  }
}

/** Whatever stands before it: the whole is false at most. */
function falsy(known: Maybe): Maybe {
  return known && !known.value ? { value: false } : undefined
}

/** What is nothing equals nothing: neither `null` nor an absent value is told from the other. */
function compared(one: Maybe, other: Maybe, isEqual: boolean): Maybe {
  if (!one || !other) return undefined
  return { value: ((one.value ?? undefined) === (other.value ?? undefined)) === isEqual }
}

/** The values of names, each with an unknown one for every assignment, and what functions without statements return. */
function readNames(file: ts.SourceFile) {
  const values = new Map<string, (ts.Expression | undefined)[]>()
  const functions = new Map<string, (ts.Expression | undefined)[]>()
  const add = (map: typeof values, name: string, value: ts.Expression | undefined): void => {
    const list = map.get(name)
    if (list) list.push(value)
    else map.set(name, [value])
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const isCounted = ts.isForInStatement(node.parent.parent) || ts.isForOfStatement(node.parent.parent)
      // What is declared without a value gets one elsewhere.
      if (node.initializer || isCounted) add(values, node.name.text, node.initializer)
      if (node.initializer) add(functions, node.name.text, returnedBy(node.initializer))
    } else if ((ts.isParameter(node) || ts.isBindingElement(node)) && ts.isIdentifier(node.name))
      add(values, node.name.text, undefined)
    else if (ts.isFunctionDeclaration(node) && node.name) add(functions, node.name.text, returnedBy(node))
    else if (ts.isBinaryExpression(node) && ts.isIdentifier(node.left) && isAssignment(node.operatorToken.kind))
      add(values, node.left.text, node.operatorToken.kind === ts.SyntaxKind.EqualsToken ? node.right : undefined)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { values, functions }
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function returnedBy(node: ts.Node): ts.Expression | undefined {
  if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined
  const { body } = node
  if (!body || !ts.isBlock(body)) return body
  const [only, more] = body.statements
  return only && !more && ts.isReturnStatement(only) ? only.expression : undefined
}
