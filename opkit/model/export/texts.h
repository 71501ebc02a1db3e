// Sources that are the same in every exported project.
#ifndef OPKIT_MODEL_EXPORT_TEXTS_H_
#define OPKIT_MODEL_EXPORT_TEXTS_H_

namespace opkit::model_export {

extern const char* const kElementLoops;  // elements.h: element by element, and moves
extern const char* const kProductLoops;  // products.h: matrix products, convolutions, pools
extern const char* const kRowLoops;      // rows.h: softmax, normalization, reductions
extern const char* const kHalves;        // halves.h: 16-bit floats
extern const char* const kNpyHeader;     // npy.h and npy.cpp: NumPy's files
extern const char* const kNpySource;
extern const char* const kModelHeader;    // model.h
extern const char* const kModelBegin;     // model.cpp up to the functions of calls
extern const char* const kMainSource;     // main.cpp
extern const char* const kOneDnnHeader;   // onednn.h: the plan of steps on oneDNN
extern const char* const kOneDnnLayouts;  // onednn_layouts.cpp
extern const char* const kOneDnnSteps;    // onednn_steps.cpp
extern const char* const kProjectFile;    // CMakeLists.txt

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_TEXTS_H_
