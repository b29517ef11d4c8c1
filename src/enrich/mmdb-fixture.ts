import ipaddr from 'ipaddr.js';

/** A value in a record of an MMDB file; the real format has more kinds. */
export type MmdbValue = string | number | { readonly [name: string]: MmdbValue };

/** A small database for tests: records by CIDR range. */
export interface MmdbContent {
  readonly ipVersion: 4 | 6;
  readonly databaseType: string;
  readonly records: readonly { readonly range: string; readonly record: MmdbValue }[];
}

/** A node of the search tree: for each bit a further node, a record's index, or nothing. */
type Branch = Node | number | null;
interface Node {
  readonly branches: [Branch, Branch];
}

const SEPARATOR = Buffer.alloc(16);
const METADATA_MARKER = Buffer.from('ABCDEF4D61784D696E642E636F6D', 'hex');

/** Writes a database in MaxMind's format, version 2.0, with tree records of 24 bits. */
export function mmdbFile({ ipVersion, databaseType, records }: MmdbContent): Buffer {
  const root: Node = { branches: [null, null] };
  for (const [index, { range }] of records.entries()) insert(root, bitsOf(range, ipVersion), index);
  const nodes = nodesBelow(root);
  const data = records.map(({ record }) => encode(record));
  const tree = Buffer.concat(nodes.map((node) => encodeNode(node, nodes, data)));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: databaseType,
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, SEPARATOR, ...data, METADATA_MARKER, metadata]);
}

/** The bits of a range's prefix; IPv4 stands in an IPv6 tree below 96 zeros. */
function bitsOf(range: string, ipVersion: 4 | 6): number[] {
  const [network, prefixBits] = ipaddr.parseCIDR(range);
  const bits = network
    .toByteArray()
    .flatMap((byte) => Array.from({ length: 8 }, (_, index) => (byte >> (7 - index)) & 1))
    .slice(0, prefixBits);
  const zeros = ipVersion === 6 && network.kind() === 'ipv4' ? 96 : 0;
  return [...Array.from({ length: zeros }, () => 0), ...bits];
}

function insert(root: Node, bits: readonly number[], record: number): void {
  let node = root;
  for (const [depth, bit] of bits.entries()) {
    const side = bit === 0 ? 0 : 1;
    if (depth === bits.length - 1) {
      node.branches[side] = record;
      return;
    }
    const branch = node.branches[side];
    const next: Node =
      typeof branch === 'object' && branch !== null ? branch : { branches: [null, null] };
    node.branches[side] = next;
    node = next;
  }
}

function nodesBelow(node: Node): Node[] {
  const below = node.branches.filter((branch) => typeof branch === 'object' && branch !== null);
  return [node, ...below.flatMap((each) => nodesBelow(each))];
}

/** A pointer below the node count is a node, equal to it is nothing, above it is data. */
function encodeNode(node: Node, nodes: readonly Node[], data: readonly Buffer[]): Buffer {
  const pointers = node.branches.map((branch) => {
    if (branch === null) return nodes.length;
    if (typeof branch === 'object') return nodes.indexOf(branch);
    const offset = data.slice(0, branch).reduce((bytes, record) => bytes + record.length, 0);
    return nodes.length + SEPARATOR.length + offset;
  });
  const bytes = Buffer.alloc(6);
  for (const [side, pointer] of pointers.entries()) bytes.writeUIntBE(pointer, side * 3, 3);
  return bytes;
}

/** Control byte and payload: type 2 text, 6 unsigned 32-bit number, 7 map; sizes below 29. */
function encode(value: MmdbValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, bytes.length), bytes]);
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  const fields = Object.entries(value);
  const encoded = fields.flatMap(([name, field]) => [encode(name), encode(field)]);
  return Buffer.concat([control(7, fields.length), ...encoded]);
}

function control(type: number, size: number): Buffer {
  if (size >= 29) throw new Error(`the fixture writes sizes below 29, not ${size}`);
  return Buffer.from([(type << 5) | size]);
}
