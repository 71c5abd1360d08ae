import * as z from 'zod'
import { Count, Day, Sum } from './fields'

/** The cost of a project's materials by the price book, as its list of materials has them. */
export const Materials = z.object({
  items: Count,
  unpriced: Count.describe('Items without a price in the price book: not in cost'),
  cost: Sum.nullable().describe('As price_project; null when no item has a price'),
  pricesFrom: Day.nullable().describe('The first day of the prices used'),
  pricesTo: Day.nullable().describe('The last day of the prices used'),
})

/** What is left of a contract after its listed materials: no margin, because other costs are not known. */
export const ContractLessMaterials = z.object({
  amount: Sum.nullable().describe('Null where it cannot be told'),
  percent: z.number().nullable().describe('Of the contract sum, two decimals'),
  note: z.string().describe('What it holds, of which days the prices are, and what it does not hold'),
})

const NO_OTHER_COSTS =
  'Plumbline keeps no costs of labor, subcontractors, equipment or overhead, so this is neither margin nor profit.'

const daysOf = ({ pricesFrom, pricesTo }: z.output<typeof Materials>): string =>
  pricesFrom === pricesTo ? `of ${pricesTo}` : `of ${pricesFrom} to ${pricesTo}`

/** Tells what is left of a contract as far as costs are known, and what is missing, because a number alone would be taken for profit. */
export function contractLessMaterials(
  contract: number,
  materials: z.output<typeof Materials> | null,
): z.output<typeof ContractLessMaterials> {
  const unknown = (why: string) => ({ amount: null, percent: null, note: `${why} ${NO_OTHER_COSTS}` })
  if (!materials) return unknown('This cannot be told: no list of materials is loaded for this project.')
  if (materials.cost === null)
    return unknown('This cannot be told: the price book has no price for the materials of this project.')
  const cents = Math.round(contract * 100) - Math.round(materials.cost * 100)
  const some =
    materials.unpriced > 0
      ? ` ${materials.unpriced} of ${materials.items} items have no price and are not deducted.`
      : ''
  return {
    amount: cents / 100,
    percent: contract > 0 ? Math.round((cents * 100) / contract) / 100 : null,
    note: `Contract sum less listed materials at the expected prices of the price book, ${daysOf(materials)}, as price_project has them.${some} ${NO_OTHER_COSTS}`,
  }
}
