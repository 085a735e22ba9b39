export const documentQuestions: readonly (readonly [question: string, ...documents: string[]])[]
export const reworded: readonly string[]
export const otherTopics: readonly string[]
export const keptApart: { readonly own: readonly string[]; readonly other: readonly string[] }
