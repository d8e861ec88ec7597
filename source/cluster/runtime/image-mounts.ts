// What an image holds, as a tree that can be mounted into a container of another one.
import type {Mount} from '../../api/wire/cri.ts';
import {Files} from '../../sim/files.ts';
import {foldersOf} from './image-folders.ts';
import type {ImageStore} from './image-store.ts';

/** The mounts of a container, with the files of those that are images. */
export function withImages(mounts: readonly Mount[], images: ImageStore, wall: () => number): readonly Mount[] {
  return mounts.map(mount => {
    const {image} = mount;
    if (image === undefined) return mount;
    let tree: Files | undefined;
    return {...mount, files: () => (tree ??= treeOf(image, images, wall))};
  });
}

function treeOf(image: string, images: ImageStore, wall: () => number): Files {
  const tree = new Files(wall);
  const {tools, files = {}} = images.find(image)?.content ?? {};
  // An artifact holds what was put into it and nothing else.
  if (tools !== 'none') for (const folder of foldersOf(tools)) tree.makeFolder(folder);
  for (const [path, text] of Object.entries(files)) tree.place(path, text);
  return tree;
}
