export const documentQuestions: readonly (readonly [question: string, ...documents: string[]])[]
export const reworded: readonly string[]
export const otherTopics: readonly string[]
