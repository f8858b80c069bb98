import ts from 'typescript'

/** Where a source goes on without what it asked for. */
interface Unawaited {
  readonly line: number
  readonly message: string
}

/** What makes a text or a number of anything, also of a promise. */
const makers: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'parseInt', 'parseFloat'])
/** What settles a promise or makes a query write: nothing that is put to one in a variable before it is awaited. */
const doers: ReadonlySet<string> = new Set(['then', 'catch', 'finally', 'insert', 'upsert', 'update', 'delete'])
const forgotten =
  'Nobody waits for this: write await before it. A query runs only then, and what is not done when the handler returns may never be.'
const taken = 'This is a promise, not yet its value: write await before it.'

/** Finds promises and queries that are let go, or taken for their values, where no type is wrong. `void` says that it is meant. */
export function findUnawaited(source: ts.SourceFile, types: ts.TypeChecker): readonly Unawaited[] {
  const found: Unawaited[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isExpressionStatement(node) && !isBuilt(node.expression, types)) tell(node.expression, forgotten)
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && makers.has(node.expression.text)) {
      const [first] = node.arguments
      if (first) tell(first, taken)
    }
    // A tag is handed the value itself.
    if (ts.isTemplateSpan(node) && !ts.isTaggedTemplateExpression(node.parent.parent)) tell(node.expression, taken)
    ts.forEachChild(node, visit)
  }

  function tell(expression: ts.Expression, message: string): void {
    let call = expression
    while (ts.isParenthesizedExpression(call)) call = call.expression
    if (!ts.isCallExpression(call) || handlesFailure(call)) return
    if (!types.getPropertyOfType(types.getTypeAtLocation(call), 'then')) return
    found.push({ line: source.getLineAndCharacterOfPosition(call.getStart(source)).line + 1, message })
  }
}

/** Whoever catches what goes wrong has thought of it. */
function handlesFailure({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false
  const { text } = expression.name
  return (text === 'catch' && given.length > 0) || (text === 'then' && given.length > 1)
}

/** Whether a query that a variable holds is only made more of: `query.where('open', true)`, and it is awaited itself. */
function isBuilt(expression: ts.Expression, types: ts.TypeChecker): boolean {
  let held = expression
  while (ts.isCallExpression(held) && ts.isPropertyAccessExpression(held.expression)) {
    if (doers.has(held.expression.name.text)) return false
    held = held.expression.expression
  }
  return !ts.isCallExpression(held) && types.getPropertyOfType(types.getTypeAtLocation(held), 'then') !== undefined
}
