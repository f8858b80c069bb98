/** What a check goes by: what requests showed, the list of models, or an answer of a model. */
export const checkKinds = ['passive', 'models', 'chat'] as const
