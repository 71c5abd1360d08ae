import { date, index, numeric, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { lifeTimes, sourceReference } from './columns'
import { ofContractor } from './contractors'
import { ofProject } from './projects'

/**
 * The price book: what an item cost a contractor, where and when. A new price is a new row, so that history stays. A row is
 * identified by item, unit, supplier, region and day, which `source_reference` combines.
 */
export const materialPrices = pgTable(
  'material_prices',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    sourceReference: sourceReference(),
    itemKey: text('item_key').notNull(),
    name: text('name').notNull(),
    trade: text('trade'),
    unit: text('unit').notNull(),
    /** Of up to four decimals: a screw costs 0.0475. */
    unitCost: numeric('unit_cost').notNull(),
    currency: text('currency').notNull(),
    supplier: text('supplier'),
    region: text('region'),
    observedOn: date('observed_on', { mode: 'string' }).notNull(),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('material_prices_source').on(t.contractorId, t.sourceReference),
    index('material_prices_by_item').on(t.contractorId, t.itemKey, t.observedOn),
  ],
)

/**
 * The materials a project needs according to the contractor's estimate: items of the price book and quantities. A row is identified
 * by project, item and unit, which `source_reference` combines. Without a unit, the price book's unit applies.
 */
export const projectMaterials = pgTable(
  'project_materials',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    sourceReference: sourceReference(),
    projectId: ofProject(),
    itemKey: text('item_key').notNull(),
    name: text('name'),
    unit: text('unit'),
    quantity: numeric('quantity', { precision: 12, scale: 3 }).notNull(),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('project_materials_source').on(t.contractorId, t.sourceReference),
    index('project_materials_by_project').on(t.projectId),
  ],
)
