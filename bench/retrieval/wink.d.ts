// Types for the parts we use of two packages that have none.
declare module 'wink-bm25-text-search' {
  type Engine = {
    defineConfig(config: { fldWeights: Record<string, number> }): void
    definePrepTasks(tasks: ((given: never) => unknown)[]): void
    addDoc(document: Record<string, string>, id: string): void
    consolidate(): void
    search(query: string, limit: number): [id: string, score: number][]
  }
  export default function bm25(): Engine
}
declare module 'wink-nlp-utils' {
  const utils: {
    string: { lowerCase(given: never): string; tokenize0(given: never): string[] }
    tokens: { removeWords(given: never): string[]; stem(given: never): string[] }
  }
  export default utils
}
