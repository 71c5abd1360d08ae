import type { Tool } from '../tools'

/** Descriptions of the tool categories. */
const ABOUT: Record<Tool['category'], string> = {
  customers: 'Who the contractor works for',
  projects: 'Jobs from lead to completion',
  finance: 'What is quoted, invoiced and paid, and what it adds up to',
  leads: 'New inquiries and where they come from',
  materials: 'Materials, their prices and quantities',
  permits: 'Permits and what they require',
  search: 'Finding text in the contractor’s documents',
}

/** The categories that have tools, in the tools' order. */
export const categoriesOf = (tools: readonly Tool[]): Tool['category'][] => [
  ...new Set(tools.map(({ category }) => category)),
]

/** Returns each category with its tools. */
export const catalogCategories = (tools: readonly Tool[]) =>
  Object.fromEntries(
    categoriesOf(tools).map((category) => {
      const names = tools.filter((tool) => tool.category === category).map(({ name }) => name)
      return [category, { description: ABOUT[category], count: names.length, tools: names }]
    }),
  )
