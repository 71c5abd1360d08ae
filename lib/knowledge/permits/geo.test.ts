import { expect, test } from 'vitest'
import { boxAround, metersBetween } from './geo'

test('metersBetween: a degree of latitude is pi / 180 of the radius, one of longitude its cosine', () => {
  // 6,371,008.8 m x pi / 180 = 111,195.08 m; x cos 60 degrees = 55,597.54 m, minus a little because the arc bows.
  expect(metersBetween({ latitude: 36, longitude: -86 }, { latitude: 37, longitude: -86 })).toBeCloseTo(111_195.08, 1)
  expect(metersBetween({ latitude: 60, longitude: 0 }, { latitude: 60, longitude: 0.01 })).toBeCloseTo(555.98, 1)
  expect(metersBetween({ latitude: 36, longitude: -86 }, { latitude: 36, longitude: -86 })).toBe(0)
  // Half the circumference of the earth: pi x 6,371,008.8 m.
  expect(metersBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(20_015_114.35, 0)
})

test('boxAround: every point of the circle is in it', () => {
  const place = { latitude: 61, longitude: -149 }
  const { south, north, west, east } = boxAround(place, 40_000)
  for (const corner of [
    { latitude: south, longitude: -149 },
    { latitude: north, longitude: -149 },
  ])
    expect(metersBetween(place, corner)).toBeCloseTo(40_000, 3)
  for (let latitude = south; latitude <= north; latitude += (north - south) / 50)
    for (const longitude of [west, east])
      expect(metersBetween(place, { latitude, longitude })).toBeGreaterThanOrEqual(40_000)
})
