import { compileSchemaCheck, ValidationFailedError } from '#kernel'
import { PluginResponseInvalidError } from '../errors.ts'
import type { AiTool } from '../manifest/plugin-provided.ts'
import { boundToolSchema } from '../manifest/rules/tool-schema.ts'

const maxInput = 65_536
const maxCheckedOutput = 262_144

/** Holds what goes in and out of an AI tool to its schemas. */
export interface ToolCheck {
  /** The argument's JSON text with the schema's defaults filled in; throws 422/4220 beyond the schema or 64 KB. */
  readonly toInput: (value: unknown) => string
  /** The content of the tool's answer, which is JSON text; throws 502/5029 where it is none, or beyond the schema or 256 KB. */
  readonly toContent: (text: string) => unknown
}

/** Prepares the checks of a tool, whose schemas were held to a safe subset when the plugin was installed. */
export function compileToolCheck({ input, output }: Pick<AiTool, 'input' | 'output'>): ToolCheck {
  const inputCheck = compileSchemaCheck(boundToolSchema(input), 'exact', 'lazily')
  const outputCheck = output && compileSchemaCheck(boundToolSchema(output), 'exact', 'lazily')
  return {
    toInput(given) {
      // A check costs as much as there is to be checked, so that the size comes first.
      if (sizeOf(given) > maxInput) {
        throw new ValidationFailedError({
          errors: [{ field: '', rule: 'size', message: `is larger than ${maxInput} bytes` }],
        })
      }
      const value: unknown = structuredClone(given)
      if (inputCheck.isValid(value)) return JSON.stringify(value)
      throw new ValidationFailedError({ errors: inputCheck.explain(value, 'en', 'first') })
    },
    toContent(text) {
      const answer: unknown = JSON.parse(text)
      if (typeof answer !== 'object' || answer === null || !('content' in answer))
        throw new PluginResponseInvalidError({ cause: 'The answer of a tool is { content }' })
      const { content } = answer
      if (!outputCheck) return content
      if (sizeOf(content) > maxCheckedOutput)
        throw new PluginResponseInvalidError({ details: { limit: maxCheckedOutput } })
      if (outputCheck.isValid(content)) return content
      throw new PluginResponseInvalidError({ errors: outputCheck.explain(content, 'en', 'first') })
    },
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
