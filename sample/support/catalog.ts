// The products of the fictional shop Larkfell, for the orders in the sample.

export interface Product {
  sku: string
  name: string
  /** A short noun for later mentions. */
  noun: string
  brand: string
  price: number
  sizes: readonly string[]
}

export type Category = keyof typeof CATALOG

const CLOTHING = ['XS', 'S', 'M', 'L', 'XL']
const SHOES = ['38', '39', '40', '41', '42', '43', '44', '45']
const ONE_SIZE: readonly string[] = []

function product(
  sku: string,
  name: string,
  noun: string,
  brand: string,
  price: number,
  sizes = ONE_SIZE,
): Product {
  return { sku, name, noun, brand, price, sizes }
}

export const CATALOG = {
  boots: [
    product('NV-2104', 'Skarn Mid boots', 'boots', 'Norrvik', 189.95, SHOES),
    product('HD-0310', 'Moraine leather boots', 'boots', 'Halden', 249, SHOES),
    product('NV-2230', 'Lyng Low trail shoes', 'shoes', 'Norrvik', 139.95, SHOES),
    product('HD-0342', 'Sorrel approach shoes', 'shoes', 'Halden', 154.5, SHOES),
  ],
  jacket: [
    product('LF-J110', 'Scree rain jacket', 'jacket', 'Larkfell', 179, CLOTHING),
    product('LF-J125', 'Drift down jacket', 'jacket', 'Larkfell', 229, CLOTHING),
    product('LF-J140', 'Heath fleece jacket', 'jacket', 'Larkfell', 89.95, CLOTHING),
    product('NV-3301', 'Corrie shell jacket', 'jacket', 'Norrvik', 319.95, CLOTHING),
  ],
  rainwear: [
    product('LF-J110', 'Scree rain jacket', 'jacket', 'Larkfell', 179, CLOTHING),
    product('LF-J118', 'Scree rain smock', 'smock', 'Larkfell', 159, CLOTHING),
  ],
  down: [
    product('LF-J125', 'Drift down jacket', 'jacket', 'Larkfell', 229, CLOTHING),
    product('LF-S400', 'Hush 400 down sleeping bag', 'sleeping bag', 'Larkfell', 299),
  ],
  tent: [
    product('LF-T200', 'Fellside 2 tent', 'tent', 'Larkfell', 349),
    product('LF-T300', 'Bothy 3 tent', 'tent', 'Larkfell', 449),
    product('LF-T100', 'Wren solo tent', 'tent', 'Larkfell', 279.5),
  ],
  pack: [
    product('LF-P045', 'Cairn 45 pack', 'pack', 'Larkfell', 159.95),
    product('LF-P065', 'Cairn 65 pack', 'pack', 'Larkfell', 189.95),
    product('LF-P022', 'Daybreak 22 pack', 'pack', 'Larkfell', 84.5),
  ],
  filter: [
    product('RL-0001', 'Rill squeeze filter', 'filter', 'Rill', 42.95),
    product('RL-0004', 'Rill gravity filter', 'filter', 'Rill', 74.95),
  ],
  trousers: [
    product('LF-C310', 'Gully trekking trousers', 'trousers', 'Larkfell', 109.95, CLOTHING),
    product('NV-3420', 'Lift softshell trousers', 'trousers', 'Norrvik', 149.95, CLOTHING),
  ],
  stove: [
    product('PK-0110', 'Pika gas stove', 'stove', 'Pika', 54.95),
    product('PK-0220', 'Pika two-burner stove', 'stove', 'Pika', 119),
  ],
  small: [
    product('LF-A035', 'Glim 350 headlamp', 'headlamp', 'Larkfell', 34.95),
    product('LF-A012', 'enamel camp mug', 'mug', 'Larkfell', 12.5),
    product('LF-A061', 'Ember camp lantern', 'lantern', 'Larkfell', 24.95),
  ],
  mat: [
    product('LF-M060', 'Loft 6 sleeping mat', 'mat', 'Larkfell', 119.95),
    product('NV-5100', 'Skrea insulated mat', 'mat', 'Norrvik', 149.95),
  ],
} satisfies Record<string, Product[]>
