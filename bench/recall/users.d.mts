export const userQuestions: readonly (readonly [question: string, ...documents: string[]])[]
export const userSubjects: { readonly own: readonly string[]; readonly other: readonly string[] }
