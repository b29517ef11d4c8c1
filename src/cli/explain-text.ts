import type { AuctionView } from '../management/auctions/schema.ts';
import { shown } from './terminal-text.ts';

/** Anything that says itself in words. */
interface Told {
  readonly sentence: string;
}

/**
 * An explained auction as text: its own sentences, part by part. Parts without any are left out.
 * Sentences quote what bidders wrote, which must neither command a terminal nor make lines of its own.
 */
export function describeAuctionView(auction: AuctionView): string {
  const { calls, bids, beacons, notices, trace, configuration } = auction;
  const isWhole = auction.view === 'operator';
  const sections = [
    section('Impressions', isWhole ? auction.imps : []),
    section('Bid requests', calls),
    section('Bids', bids),
    ...(isWhole
      ? [section('Not asked', auction.not_called, moreOf(auction.not_called_dropped, 'partners'))]
      : [section('Line items that were left out', auction.not_matched)]),
    section('What happened then', beacons),
    section('Notices', notices),
    section(
      'Note',
      [trace, configuration].filter((_, index) => isNoted(auction, index)),
    ),
  ];
  if (isWhole && auction.bids_dropped > 0) {
    sections.push(`${auction.bids_dropped} losing bids were too many to be recorded.`);
  }
  const told = sections.filter((text) => text !== '');
  return [`Auction ${auction.id}\n${shown(auction.sentence)}`, ...told].join('\n\n');
}

/** That all is as it should be is no news. */
function isNoted({ trace, configuration }: AuctionView, index: number): boolean {
  return index === 0 ? !trace.is_kept : !configuration.is_present;
}

function section(title: string, parts: readonly Told[], more = ''): string {
  const lines = [...parts.map(({ sentence }) => shown(sentence)), ...(more === '' ? [] : [more])];
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

function moreOf(count: number, noun: string): string {
  return count === 0 ? '' : `${count} more ${noun} were not asked.`;
}
