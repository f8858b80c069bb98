export { checkVerdict } from './guardrail-verdict.ts'
export { checkEmbeddings, checkMeaning, checkModels, checkRequest, checkTest } from './provider-answers.ts'
export { checkDeltas } from './provider-deltas.ts'
export { checkOrder } from './router-order.ts'
