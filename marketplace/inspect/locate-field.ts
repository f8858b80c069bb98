import ts from 'typescript'

/** The line on which a field such as `tenant_routes.0.path` stands in a JSON text, or the nearest one around it that is there. */
export function lineOfField(text: string, field: string): number {
  const source = ts.parseJsonText('manifest.json', text)
  let node: ts.Node | undefined = source.statements[0]?.expression
  let found = node
  for (const name of field === '' ? [] : field.split('.')) {
    const next: ts.Node | undefined = node && memberOf(node, name)
    if (!next) break
    found = next
    node = ts.isPropertyAssignment(next) ? next.initializer : next
  }
  return found ? source.getLineAndCharacterOfPosition(found.getStart(source)).line + 1 : 1
}

function memberOf(node: ts.Node, name: string): ts.Node | undefined {
  if (ts.isArrayLiteralExpression(node)) return node.elements[Number(name)]
  if (!ts.isObjectLiteralExpression(node)) return undefined
  return node.properties.find((property) => ts.isPropertyAssignment(property) && keyOf(property) === name)
}

function keyOf({ name }: ts.PropertyAssignment): string | undefined {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : undefined
}
