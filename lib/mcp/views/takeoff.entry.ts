import { start } from './frame'
import { takeoff } from './takeoff'

start(takeoff)
