import ts from 'typescript'

/** What an expression gives in a sandbox; `undefined` in `value` is a value too. */
interface Known {
  readonly value: string | boolean | null | undefined
}
type Maybe = Known | undefined

/** Says of expressions what they give where some globals are not there, as far as the code itself tells. */
export type Evaluate = (expression: ts.Expression) => Maybe

const mostSteps = 8
const globalObjects = new Set(['globalThis', 'self'])

/**
 * Reads in a file what decides whether code looks for globals: comparisons of their types, and names and functions that stand for one. A name
 * that is written down twice with different values says nothing. `marks` are the globals that are not there, by their names, as they are written
 * here.
 */
export function whatIsKnown(file: ts.SourceFile, marks: Readonly<Record<string, string>>): Evaluate {
  const marked = new Set(Object.values(marks))
  const { values, functions } = readNames(file)
  return (expression) => evaluate(expression, 0)

  function evaluate(expression: ts.Expression, steps: number): Maybe {
    if (steps > mostSteps) return undefined
    if (ts.isParenthesizedExpression(expression)) return evaluate(expression.expression, steps)
    const next = (part: ts.Expression): Maybe => evaluate(part, steps + 1)
    if (ts.isStringLiteralLike(expression)) return { value: expression.text }
    if (ts.isTypeOfExpression(expression)) return typeOf(expression.expression, next)
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
    if (ts.isIdentifier(expression)) return ofName(expression.text, next)
    if (expression.kind === ts.SyntaxKind.TrueKeyword) return { value: true }
    if (expression.kind === ts.SyntaxKind.FalseKeyword) return { value: false }
    return expression.kind === ts.SyntaxKind.NullKeyword ? { value: null } : undefined
  }

  function ofName(name: string, next: Evaluate): Maybe {
    return name === 'undefined' ? { value: undefined } : alike(values.get(name), next)
  }

  function typeOf(operand: ts.Expression, next: Evaluate): Maybe {
    if (ts.isIdentifier(operand)) {
      if (marked.has(operand.text)) return { value: 'undefined' }
      if (globalObjects.has(operand.text) && !values.has(operand.text)) return { value: 'object' }
    }
    const known = next(operand)
    return known && { value: known.value === null ? 'object' : typeof known.value }
  }

  function isAbsentMember({ expression, name }: ts.PropertyAccessExpression): boolean {
    return ts.isIdentifier(expression) && globalObjects.has(expression.text) && Object.hasOwn(marks, name.text)
  }
}

function alike(expressions: readonly (ts.Expression | undefined)[] | undefined, next: Evaluate): Maybe {
  const [first, ...others] = (expressions ?? []).map((each) => each && next(each))
  return first && others.every((other) => other && other.value === first.value) ? first : undefined
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
    map.set(name, [...(map.get(name) ?? []), value])
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
