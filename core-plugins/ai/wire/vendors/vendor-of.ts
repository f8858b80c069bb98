import type { Vendor } from '../vendor.ts'
import { anthropic } from './anthropic/vendor.ts'
import { demo } from './demo/vendor.ts'
import { gemini } from './gemini/vendor.ts'
import { azureOpenAi, ollama, openAiCompatible } from './openai-compatible/vendor.ts'

const all = [openAiCompatible, azureOpenAi, ollama, anthropic, gemini, demo]
const known: ReadonlyMap<string, Vendor> = new Map(all.map((each) => [each.type, each]))

/** What speaks to providers of a type; undefined for types that plugins bring. */
export function vendorOf(type: string): Vendor | undefined {
  return known.get(type)
}
