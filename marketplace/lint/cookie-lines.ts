import ts from 'typescript'

/** The lines of a source, from 1, on which headers that it makes set a cookie; not where the name is one to look for, to hide or to take out. */
export function cookieLines(file: string, text: string): ReadonlySet<number> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  visit(source)
  return lines

  function visit(node: ts.Node): void {
    const isMember = ts.isPropertyAssignment(node) && nameOf(node) === 'set-cookie' && isOfHeaders(node.parent)
    if (isMember || isSetOfHeaders(node))
      lines.add(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)
    ts.forEachChild(node, visit)
  }
}

/** Whether an object is what something that is called headers holds, also as a part of it or as one of several. */
function isOfHeaders(object: ts.Expression): boolean {
  let { parent: holder }: ts.Node = object
  while (isAround(holder)) holder = holder.parent
  if (ts.isBinaryExpression(holder)) return ts.isIdentifier(holder.left) && isHeaders(holder.left.text)
  if (ts.isPropertyAssignment(holder)) return isHeaders(nameOf(holder))
  return ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name) && isHeaders(holder.name.text)
}

/** `headers['set-cookie'] = …`, also where the headers are a part of something. */
function isSetOfHeaders(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !isAssignment(node.operatorToken.kind)) return false
  const { left } = node
  if (!ts.isElementAccessExpression(left) || !ts.isStringLiteralLike(left.argumentExpression)) return false
  if (left.argumentExpression.text.toLowerCase() !== 'set-cookie') return false
  let holder: ts.Expression = left.expression
  while (ts.isParenthesizedExpression(holder) || ts.isNonNullExpression(holder) || ts.isAsExpression(holder))
    holder = holder.expression
  if (ts.isIdentifier(holder)) return isHeaders(holder.text)
  return ts.isPropertyAccessExpression(holder) && isHeaders(holder.name.text)
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function isHeaders(name: string | undefined): boolean {
  return name?.toLowerCase() === 'headers'
}

/** Whether an expression gives what stands in it, or an object that it is a part of. */
function isAround(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return node.operatorToken.kind !== ts.SyntaxKind.EqualsToken
  if (ts.isObjectLiteralExpression(node) || ts.isSpreadAssignment(node)) return true
  const isSame = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
  return isSame || ts.isConditionalExpression(node)
}

function nameOf({ name }: ts.PropertyAssignment): string | undefined {
  const said = ts.isComputedPropertyName(name) ? name.expression : name
  return ts.isStringLiteralLike(said) || ts.isIdentifier(said) ? said.text.toLowerCase() : undefined
}
