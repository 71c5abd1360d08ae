import { z } from 'zod'
import { Count, Sum } from './fields'

/** What the materials of a project cost by the price book, as its list of materials has them. */
export const Materials = z.object({
  items: Count,
  unpriced: Count.describe('Items without a price in the price book: not in cost'),
  cost: Sum.describe('As price_project'),
})

export const Margin = z.object({
  afterMaterials: Sum.nullable().describe('Contract sum less the cost of materials; null where it cannot be told'),
  percent: z.number().nullable().describe('Of the contract sum, two decimals'),
  note: z.string().describe('What it holds and what it does not'),
})

const NO_OTHER_COSTS =
  'Plumbline keeps no costs of labor, subcontractors, equipment or overhead, so this is not profit.'

/** Tells a margin as far as costs are known, and what is missing, because a number alone would be taken for profit. */
export function marginOf(contract: number, materials: z.output<typeof Materials> | null): z.output<typeof Margin> {
  const unknown = (why: string) => ({ afterMaterials: null, percent: null, note: `${why} ${NO_OTHER_COSTS}` })
  if (!materials) return unknown('The margin cannot be told: no list of materials is loaded for this project.')
  if (materials.unpriced === materials.items)
    return unknown('The margin cannot be told: the price book has no price for the materials of this project.')
  const cents = Math.round(contract * 100) - Math.round(materials.cost * 100)
  const some =
    materials.unpriced > 0
      ? ` ${materials.unpriced} of ${materials.items} items have no price and are not deducted.`
      : ''
  return {
    afterMaterials: cents / 100,
    percent: contract > 0 ? Math.round((cents * 100) / contract) / 100 : null,
    note: `Contract sum less listed materials at the expected prices of the price book, as price_project has them.${some} ${NO_OTHER_COSTS}`,
  }
}
