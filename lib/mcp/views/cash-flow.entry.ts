import { cashFlow } from './cash-flow'
import { start } from './frame'

start(cashFlow)
