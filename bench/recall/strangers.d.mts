export const strangersQuestions: readonly (readonly [question: string, ...documents: string[]])[]
export const strangersTopics: readonly string[]
